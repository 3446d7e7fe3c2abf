import CoreData

/// `GET /assets/PATH`: a file of the front end.
struct AssetPage: PublicPage {
    let route = Route("GET /assets/{path…}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        try FrontEnd.file(call.parameters["path"] ?? "", call.browser.options)
    }
}
