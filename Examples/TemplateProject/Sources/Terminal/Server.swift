import CoreDataBrowserServer

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
        server.run { link in
            print(link)
            fflush(nil)
        }
    }
}
