import CoreDataStore

/// The CloudKit container to which Apple's framework mirrors a store; without effect in this library.
open class NSPersistentCloudKitContainerOptions: NSObject {
    /// The container's name, such as `iCloud.com.example.Notes`.
    public let containerIdentifier: String

    /// Makes options for a container.
    public init(containerIdentifier: String) {
        self.containerIdentifier = containerIdentifier
        super.init()
    }
}
