/// Whether the current code runs on the main queue, which need not be the main thread.
///
/// If a program calls `dispatchMain()`, other threads run the main queue's work; and the main thread may run work of a
/// private queue for which it waits.
enum MainQueue {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }
}
