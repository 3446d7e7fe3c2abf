import CoreData
import Synchronization

/// The applications that are shown, and the kinds of fields that their forms may use.
package final class AppRegistry: Sendable {
    private let apps = NamedList<BrowsedApp>()
    private let known = Mutex(FieldKindRegistry())

    /// The applications, in the order in which they were added.
    package var shown: [BrowsedApp] { apps.all }

    /// The kinds of fields that are registered now; a later registration does not change the copy.
    var kinds: FieldKindRegistry { known.withLock { $0 } }

    /// Adds a kind of field.
    ///
    /// - Throws: `InspectionError` for a kind that is edited and that nothing saves.
    func register(_ kind: FieldKind) throws { try known.withLock { try $0.register(kind) } }

    /// Adds the application that `make` returns; `make` is called with the application's name in addresses.
    @discardableResult
    func show(_ name: String, _ make: (String) throws -> BrowsedApp) rethrows -> BrowsedApp {
        try apps.add(name, make)
    }

    /// The application of a name in addresses.
    ///
    /// - Throws: `BrowserFailure` 404.
    func app(_ id: String) throws -> BrowsedApp {
        guard let app = apps[id] else { throw Self.unknown(id) }
        return app
    }

    static func unknown(_ id: String) -> BrowserFailure {
        BrowserFailure(
            404, code: "unknownApp",
            reason: "the application '\(PrintableText.escaped(id, limit: 80))' is not open here",
            hint: "the list is at /")
    }
}
