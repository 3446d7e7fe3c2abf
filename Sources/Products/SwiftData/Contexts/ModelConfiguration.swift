import Foundation

/// Where the models of a container are stored.
public struct ModelConfiguration: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The file of the store.
    public let url: URL
    /// Whether the store is in memory alone.
    public let isStoredInMemoryOnly: Bool
    /// Whether the store may be changed.
    public let allowsSave: Bool
    /// The models of this store; all of the container's if nil.
    public let schema: Schema?

    /// Describes a store in the program's folder of data, named `default` unless a name is given, or one in memory.
    public init(
        _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false, allowsSave: Bool = true
    ) {
        self.name = name ?? "default"
        self.schema = schema
        self.isStoredInMemoryOnly = isStoredInMemoryOnly
        self.allowsSave = allowsSave
        let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        let folder = (folders.first ?? URL(filePath: "."))
            .appending(path: ProcessInfo.processInfo.processName)
        url = isStoredInMemoryOnly ? URL(filePath: "/dev/null") : folder.appending(path: "\(self.name).store")
    }

    /// Describes a store in a file.
    public init(_ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true) {
        self.name = name ?? url.deletingPathExtension().lastPathComponent
        self.schema = schema
        self.url = url
        self.allowsSave = allowsSave
        isStoredInMemoryOnly = false
    }

    /// Describes a store of some models.
    @_disfavoredOverload
    public init(for types: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
        self.init(schema: Schema(types), isStoredInMemoryOnly: isStoredInMemoryOnly)
    }
}
