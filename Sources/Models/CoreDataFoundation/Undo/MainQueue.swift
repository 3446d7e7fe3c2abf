/// Whether the main queue is at work here, which is not the same as the main thread.
///
/// Programs that hand their main thread to the dispatcher have the main queue's work done by other threads, and what
/// waits for a private queue may be run by the main thread.
enum MainQueue {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }
}
