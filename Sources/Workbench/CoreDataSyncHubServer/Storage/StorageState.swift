/// What a hub has in memory of the items on its disk.
struct StorageState: Sendable {
    var groups: [String: ItemIndex] = [:]
    var usedBytes = 0
    var reservedBytes = 0
    /// The numbers of items that are being received, by group.
    var receiving: [String: Int] = [:]
}
