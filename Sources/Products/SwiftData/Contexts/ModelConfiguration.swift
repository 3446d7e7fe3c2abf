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

    /// The group of programs that share the store.
    public let groupContainer: GroupContainer

    /// The identifier of the group of programs that share the store; nil if it is the program's own.
    public var groupAppContainerIdentifier: String? { groupContainer.name }

    /// Describes a store in the program's folder of data, named `default` unless a name is given, or one in memory.
    ///
    /// The store of a group is in a folder of the group, beside those of programs, which all programs of a user see.
    /// - Parameter cloudKitDatabase: without effect here.
    public init(
        _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false, allowsSave: Bool = true,
        groupContainer: GroupContainer = .automatic, cloudKitDatabase: CloudKitDatabase = .automatic
    ) {
        self.name = name ?? "default"
        self.schema = schema
        self.isStoredInMemoryOnly = isStoredInMemoryOnly
        self.allowsSave = allowsSave
        self.groupContainer = groupContainer
        let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        let base = folders.first ?? URL(filePath: ".")
        let folder =
            groupContainer.name.map { base.appending(path: "Group Containers").appending(path: $0) }
            ?? base.appending(path: ProcessInfo.processInfo.processName)
        url = isStoredInMemoryOnly ? URL(filePath: "/dev/null") : folder.appending(path: "\(self.name).store")
    }

    /// Describes a store in a file.
    ///
    /// - Parameter cloudKitDatabase: without effect here.
    public init(
        _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
        cloudKitDatabase: CloudKitDatabase = .automatic
    ) {
        self.name = name ?? url.deletingPathExtension().lastPathComponent
        self.schema = schema
        self.url = url
        self.allowsSave = allowsSave
        isStoredInMemoryOnly = false
        groupContainer = .none
    }

    /// Describes a store of some models.
    @_disfavoredOverload
    public init(for types: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
        self.init(schema: Schema(types), isStoredInMemoryOnly: isStoredInMemoryOnly)
    }
}

extension ModelConfiguration {
    /// A group of programs that share a store.
    public struct GroupContainer: Hashable, Sendable {
        let name: String?

        /// The store is the program's own.
        public static let none = GroupContainer(name: nil)
        /// The store is the program's own: a program has no list of its groups here.
        public static let automatic = GroupContainer(name: nil)
        /// The store is that of a group.
        public static func identifier(_ name: String) -> GroupContainer { GroupContainer(name: name) }
    }

    /// A database of CloudKit, in the API for the sources of applications; without effect here.
    public struct CloudKitDatabase: Hashable, Sendable {
        private let name: String

        /// Without effect.
        public static let automatic = CloudKitDatabase(name: "automatic")
        /// Without effect.
        public static let none = CloudKitDatabase(name: "none")
        /// Without effect.
        public static func `private`(_ name: String) -> CloudKitDatabase { CloudKitDatabase(name: name) }
    }
}
