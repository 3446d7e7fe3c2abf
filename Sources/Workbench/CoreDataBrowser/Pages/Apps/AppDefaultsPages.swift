import CoreData

/// `GET /apps/{app}/defaults`: all settings of an application.
struct AppDefaultsPage: Page {
    let route = Route("GET /apps/{app}/defaults")

    func respond(_ call: PageCall) async throws -> BrowserResponse { .json(try call.app.defaults.all) }
}

/// `PUT /apps/{app}/defaults/{key}`: stores a setting, such as the selected tab; null removes it.
struct AppSettingPage: Page {
    let route = Route("PUT /apps/{app}/defaults/{key}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let value = try await call.json()
        let defaults = try call.app.defaults
        try defaults.set(call.parameters["key"] ?? "", value)
        return .json(defaults.all)
    }
}

/// `GET /apps/{app}/icons/{name}`: a picture of the application's folder, in PNG.
struct AppIconPage: Page {
    let route = Route("GET /apps/{app}/icons/{name}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        guard let data = try call.app.folder.picture(call.parameters["name"] ?? "") else {
            throw BrowserFailure.notFound
        }
        return BrowserResponse(headers: ["Content-Type": "image/png"], body: BrowserBody(Array(data)))
    }
}
