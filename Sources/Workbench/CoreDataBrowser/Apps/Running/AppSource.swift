import CoreData

/// The application-wide settings in `Application.plist`.
struct AppSource {
    let folder: AppFolder
    let title: String
    let model: String
    /// The version of the model; nil for the one that the package names as current.
    let modelVersion: String?
    let store: String
    let storeType: NSPersistentStore.StoreType
    /// Whether a store of another version of the model is migrated when it is opened.
    let migrates: Bool
    let errorTexts: String?
    /// A store in the folder that the first start copies.
    let copiedStore: String?
    /// How the store is synchronized; nil for a store of this device alone.
    let sync: AppSync?
    let root: ListNode

    /// Reads `Application.plist` in a folder.
    ///
    /// - Throws: `InspectionError` for a folder without an application, or one that names no model or store.
    init(_ url: URL, _ problems: ListProblemCollector) throws {
        folder = try AppFolder(url: url)
        let file = "Application.plist"
        let list = try folder.list(file)
        root = ListNode(list, file: file, problems: problems)
        guard list.dictionary != nil else {
            throw InspectionError(.unreadable, subject: file, cause: "its root is not a dictionary")
        }
        guard let model = root.string("model") else {
            throw InspectionError(
                .unreadable, subject: file, cause: "it names no model", hint: "give the key 'model' a path")
        }
        guard let store = root.string("store") else {
            throw InspectionError(
                .unreadable, subject: file, cause: "it names no store", hint: "give the key 'store' a file's name")
        }
        self.model = model
        modelVersion = root.string("modelVersion")
        self.store = store
        title = root.string("title") ?? url.lastPathComponent
        storeType = Self.type(root)
        migrates = root.flag("migrate", default: true)
        errorTexts = root.string("errorTexts") ?? (folder.hasList("CoreDataErrors") ? "CoreDataErrors" : nil)
        copiedStore = root.string("copyStore")
        sync = root.node("sync").flatMap(AppSync.init)
    }

    private static func type(_ root: ListNode) -> NSPersistentStore.StoreType {
        guard let name = root.string("storeType") else { return .sqlite }
        switch name.lowercased() {
        case "sqlite", "nssqlitestoretype": return .sqlite
        case "xml", "nsxmlstoretype": return .xml
        case "binary", "nsbinarystoretype": return .binary
        default:
            root.note("'\(name)' is not a kind of store that is kept in a file; SQLite is taken", at: "storeType")
            return .sqlite
        }
    }
}
