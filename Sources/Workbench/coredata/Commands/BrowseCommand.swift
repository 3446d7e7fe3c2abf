import CoreDataBrowserServer
import CoreDataPrinting
import CoreDataWorkbench

/// `browse`: shows stores in a web browser.
struct BrowseCommand: Command {
    let syntax = CommandSyntax(
        name: ["browse"],
        summary: "Shows stores in a web browser, and edits them; serves them on this machine only, until interrupted.",
        operands: [CommandOperand(name: "STORE", help: "The path of a store.", isRepeated: true, isOptional: true)],
        options: [
            Option(
                "model", value: "[STORE=]PATH",
                help: """
                    The model to open the stores with, or one of them, in place of the one that a store keeps or that lies \
                    beside it: a .momd, .mom, .xcdatamodeld or .xcdatamodel. STORE is its path or its file's name.
                    """, isRepeated: true),
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
                "allow-import-from", value: "HOST",
                help: """
                    A host, as URLs name it, from which the page may import although its address is of this machine or of \
                    a private network.
                    """, isRepeated: true),
            Option(
                "tiles", value: "FILE",
                help: "A file of tiles in the form MBTiles, which maps offer as background.", isRepeated: true),
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
        options.language = RunLanguage.asked
        if let path = arguments["token-file"] {
            let (token, warning) = try TokenFile.token(at: URL(fileURLWithPath: path))
            if let warning { StandardError.write("coredata: \(warning)") }
            options.token = token
        }
        options.importHosts = Set(arguments.all("allow-import-from").map { $0.lowercased() })
        options.syncTransport = { try SealedPlace.transport(at: $0) }
        options.nearbyTransport = { try NearbyPlace.transport($0, store: $1, isConnecting: $2) }
        options.tiles = arguments.all("tiles").map { URL(fileURLWithPath: $0) }
        let browser = Browser(options: options)
        for problem in browser.core.tiles.problems { StandardError.write("coredata: \(problem)") }
        try openStores(arguments, in: browser)
        try openApps(arguments, in: browser)
        for path in arguments.all("trace") { try browser.openTrace(URL(fileURLWithPath: path)) }
        let first = browser.core.shown.first
        guard first != nil || arguments.has("trace") || !browser.core.closed.isEmpty else {
            throw arguments.error("neither a store nor --app FOLDER nor --trace FILE is given")
        }
        for problem in browser.core.shown.flatMap(\.opened.problems) { StandardError.write("coredata: \(problem)") }
        if let address = arguments["print"] { return try PrintedView(address: address).print(of: browser, to: output) }
        try BrowserServing(browser: browser, identifier: first?.opened.store.identifier).run(arguments, output)
    }

    /// Opens the stores. A store that cannot be opened is listed in the browser with the reason, which is also printed.
    private func openStores(_ arguments: Arguments, in browser: Browser) throws {
        let models = try GivenModels(arguments)
        var failures: [InspectionError] = []
        for number in arguments.operands.indices {
            let file = arguments.path(number)
            do {
                let model = models.model(of: number)
                if arguments.has("print"), !arguments.has("write") {
                    try browser.openForPrinting(file, model: model)
                } else {
                    try browser.open(file, model: model, isWriting: arguments.has("write"))
                }
            } catch let error as InspectionError {
                failures.append(error)
                browser.core.list(file, closedBy: error)
            }
        }
        // A store without a model can show rows of its tables; if no store can be shown at all, the command fails.
        let isAnythingShown = !browser.core.shown.isEmpty || arguments.has("app") || arguments.has("trace")
        if !isAnythingShown, let failure = failures.first(where: { $0.code != .noModel }) { throw failure }
        for failure in failures { StandardError.write("coredata: \(failure)") }
    }

    private func openApps(_ arguments: Arguments, in browser: Browser) throws {
        for folder in arguments.all("app") { try browser.openApp(URL(fileURLWithPath: folder)) }
        for problem in browser.core.apps.shown.flatMap(\.problems) {
            StandardError.write("coredata: \(problem.file) \(problem.place): \(problem.text)")
        }
    }
}
