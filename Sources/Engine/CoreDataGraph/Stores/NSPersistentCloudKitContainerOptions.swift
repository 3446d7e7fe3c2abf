import CoreDataStore

/// Which container of CloudKit Apple's framework mirrors a store to; without effect here.
open class NSPersistentCloudKitContainerOptions: NSObject {
    /// The container's name, such as `iCloud.com.example.Notes`.
    public let containerIdentifier: String

    /// Makes options for a container.
    public init(containerIdentifier: String) {
        self.containerIdentifier = containerIdentifier
        super.init()
    }
}
