"""What members wrote of coming and being away, in mails and chats.

pasted       a text with several of them, each with its head
signoffs     one of them, understood or asked about
phrases, clauses, statements, days   its words, its parts, what they say, and when
"""
