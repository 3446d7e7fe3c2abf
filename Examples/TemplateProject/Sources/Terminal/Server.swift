import CoreDataBrowserServer
import Dispatch

/// The store in a web browser, with the program's own classes.
struct Server {
    private let server: BrowserServer

    init(_ stack: PersistenceController) throws {
        let browser = Browser()
        browser.show(stack.container.persistentStoreCoordinator, name: "TemplateProject")
        server = try BrowserServer(browser)
    }

    /// Prints the address and serves until the process is asked to end.
    func run() {
        print(server.link())
        fflush(nil)
        let ended = DispatchSemaphore(value: 0)
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { ended.signal() }
            source.resume()
            return source
        }
        ended.wait()
        for source in sources { source.cancel() }
        server.stop()
    }
}
