import CoreDataBrowserServer

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
    func run() {
        server.run { link in
            print(link)
            fflush(nil)
        }
    }
}
