"""The club night in a browser: one WSGI application over what the commands call.

From the bottom up:

    keys      who is director, and the links of the members: nothing of it in the season file
    desk      a season file that several people use at once, in turn
    visit     what somebody asks: who they are, what they typed, the page they get
    rights    who may do what, and from where
    actions   what a form does; each is one command on the log
    the pages: tonight, results, members, rules, plan, files, people, reports
    answers   what every answer has, and what those get who get no page
    bodies    what is sent with a request: how much of it is read, by who sends it, and of all
    app       all of it as one application
    folder    season files, each with an application; public: these at a public address
    lines     where requests wait, each club's in its own line
    listening the addresses of this machine; server: an application at these

Nothing here has SQL of its own. The application needs no socket, no thread and no address of
its own, so that it can run inside a browser as well.
"""
