"""The club night in a browser: one WSGI application over what the commands call.

From the bottom up:

    keys      who is director, and the links of the members: nothing of it in the season file
    desk      a season file that several people use at once, in turn
    visit     what somebody asks: who they are, what they typed, the page they get
    rights    who may do what, and from where
    actions   what a form does; each is one command on the log
    the pages: tonight, results, members, rules, plan, files, people, reports
    app       all of it as one application; server: that application on a socket

Nothing here has SQL of its own. The application needs no socket, no thread and no address of
its own, so that it can run inside a browser as well.
"""
