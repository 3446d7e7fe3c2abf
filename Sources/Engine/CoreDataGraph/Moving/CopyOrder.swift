/// How a store is copied.
struct CopyOrder {
    /// Whether large values that cannot be read become nil in the copy.
    let leavesOutUnreadable: Bool
    /// Called now and then with the number of rows that are copied, and that of all.
    let progress: (Int, Int) -> Void
}
