import CoreData

/// `GET /apps/{app}`: an application's lists, forms and settings, and the invalid parts of its files.
struct AppPage: ViewPage {
    let route = Route("GET /apps/{app}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let app = try call.app
        let lists = app.lists.enumerated().map { number, list in
            JSONValue.object([
                ("list", .count(number)), ("title", .string(list.title)), ("entity", .string(list.entity)),
                ("tabs", .array(list.tabs.map(\.json))),
                ("tab", .count(AppTab.selected(list, app))), ("defaultsKey", .string(list.defaultsKey)),
            ])
        }
        return .json(
            .object([
                ("id", .string(app.id)), ("title", .string(app.title)), ("store", .string(app.store.id)),
                ("lists", .array(lists)), ("forms", .array(app.forms.keys.sorted().map { .string($0) })),
                ("defaults", app.defaults.all), ("editable", .bool(app.store.opened.isWriting)),
                ("problems", .array(app.problems.map(\.json))),
            ]))
    }
}

/// Which tab of a list is shown.
enum AppTab {
    /// The tab that was selected last; the first if none was, or if that tab no longer exists.
    static func selected(_ list: ApplicationList, _ app: BrowsedApp) -> Int {
        let kept = app.defaults.integer(list.defaultsKey)
        return list.tabs.indices.contains(kept) ? kept : 0
    }
}

extension PageCall {
    /// The application that the path names.
    ///
    /// An application is not filtered by the rules, so a user from whom a part of its store is hidden does not see it
    /// at all.
    /// - Throws: `BrowserFailure` 404.
    var app: BrowsedApp {
        get throws {
            let number = parameters["app"] ?? ""
            let app = try browser.apps.app(number)
            guard apps.contains(where: { $0.id == app.id }) else { throw AppRegistry.unknown(number) }
            return app
        }
    }

    /// The applications that the user may see.
    var apps: [BrowsedApp] { browser.apps.shown.filter { $0.store.opened.shown(to: access).hidden == nil } }

    /// The languages that the user's browser accepts.
    var language: String? { request.headers["Accept-Language"] }
}
