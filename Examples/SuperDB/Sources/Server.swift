import CoreDataBrowserServer
import Dispatch

/// SuperDB in a web browser: property lists say what is shown, the class `Hero` has the rules.
struct Server {
    private let server: BrowserServer

    init(lists: URL, storeFolder: URL) throws {
        UIColorRGBValueTransformer.register()
        let browser = Browser()
        try browser.openApp(lists, classes: [Hero.self], storeFolder: storeFolder)
        server = try BrowserServer(browser)
    }

    /// Prints the address and serves until the process is asked to end.
    func run() throws {
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
