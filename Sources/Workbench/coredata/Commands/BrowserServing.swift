import CoreDataBrowserServer
import CoreDataPrinting
import Foundation

/// Serves a browser until the program is interrupted, for all commands that open a page.
struct BrowserServing {
    static let options = [
        Option(
            "port", value: "N",
            help:
                "The port to serve at, or one of the next where it is taken; without it the last one of the same files."
        ),
        Option("no-open", help: "Print the address only, and open no web browser."),
    ]

    let browser: Browser
    /// The identifier of the first shown store or model, for which the port is stored; nil if it has none.
    let identifier: String?

    /// Prints the address, opens it in a web browser if there is one, and waits.
    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let wanted = try arguments.number("port")
        let kept = KeptPort(ofStore: identifier, in: StateFolder(browser.core.options))
        let port = arguments.has("port") ? wanted : kept.port ?? 0
        let server = try BrowserServer(browser, port: port)
        defer { server.stop() }
        if arguments.has("port"), wanted != 0, server.port != wanted {
            StandardError.write("coredata: port \(wanted) is taken; serving at \(server.port)")
        }
        kept.keep(server.port)
        var page: PersonalBrowser?
        defer { page?.end() }
        try server.run(finishingWithin: .seconds(5)) { link in
            output.line(link)
            try output.flush()
            if !arguments.has("no-open"), PersonalBrowser.isThere { page = try? PersonalBrowser(opening: link) }
        }
    }
}
