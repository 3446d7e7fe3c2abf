/// The options of copying a store.
struct CopyOrder {
    /// Whether large values that cannot be read become nil in the copy.
    let leavesOutUnreadable: Bool
    /// Called repeatedly with the number of rows copied so far and the number of all rows.
    let progress: (Int, Int) -> Void
}
