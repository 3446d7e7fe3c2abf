import CoreDataBrowserServer
import CoreDataInspection

/// `browse`: shows stores in a web browser.
struct BrowseCommand: Command {
    let syntax = CommandSyntax(
        name: ["browse"],
        summary: "Shows stores in a web browser, and edits them; serves them on this machine only, until interrupted.",
        operands: [Operand(name: "STORE", help: "The path of a store.", isRepeated: true, isOptional: true)],
        options: [
            .model,
            Option(
                "app", value: "FOLDER",
                help: "A folder of property lists, shown as an application; its store is opened or made.",
                isRepeated: true),
            Option(
                "trace", value: "FILE",
                help: "A recording made with 'coredata instruments' or by a program, shown at /instruments.",
                isRepeated: true),
            Option(
                "write", help: "Open the stores for writing; without it each can be switched to writing in the page."),
            Option(
                "token-file", value: "FILE",
                help: """
                    A file whose first line programs send as 'Authorization: Bearer LINE', at least 16 characters; made with a \
                    random one, for you alone to read, where there is none.
                    """),
            Option(
                "print", value: "ADDRESS",
                help: """
                    Print what a view answers to programs and serve nothing: '/stores/1/entities/Hero?limit=5', or what \
                    comes after the first store's '/stores/1/'.
                    """),
        ] + BrowserServing.options,
        details: [
            "Prints a line with the address. Its code opens a session once; the web browser keeps the session from then on.",
            "Views, filters and edits that are not saved yet are kept in $XDG_STATE_HOME/opencoredata.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        var options = BrowserOptions()
        if let path = arguments["token-file"] {
            let (token, warning) = try TokenFile.token(at: URL(fileURLWithPath: path))
            if let warning { StandardError.write("coredata: \(warning)") }
            options.token = token
        }
        let browser = Browser(options: options)
        for path in arguments.operands.indices {
            try browser.open(arguments.path(path), model: arguments.model, isWriting: arguments.has("write"))
        }
        try openApps(arguments, in: browser)
        for path in arguments.all("trace") { try browser.openTrace(URL(fileURLWithPath: path)) }
        let first = browser.core.shown.first
        guard first != nil || arguments.has("trace") else {
            throw arguments.error("neither a store nor --app FOLDER nor --trace FILE is given")
        }
        for problem in browser.core.shown.flatMap(\.opened.problems) { StandardError.write("coredata: \(problem)") }
        if let address = arguments["print"] { return try PrintedView(address: address).print(of: browser, to: output) }
        try BrowserServing(browser: browser, identifier: first?.opened.store.identifier).run(arguments, output)
    }

    private func openApps(_ arguments: Arguments, in browser: Browser) throws {
        for folder in arguments.all("app") { try browser.openApp(URL(fileURLWithPath: folder)) }
        for problem in browser.core.apps.shown.flatMap(\.problems) {
            StandardError.write("coredata: \(problem.file) \(problem.place): \(problem.text)")
        }
    }
}
