import CoreDataBrowserServer
import Foundation

/// Serves a browser until the program is interrupted; what the commands that open a page have in common.
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
    /// The identifier, of what is shown first, for which the port is remembered; nil if it does not have one.
    let identifier: String?

    /// Prints the address, opens it where there is a web browser, and waits.
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
