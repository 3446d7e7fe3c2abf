import CSwiftRuntime
import CoreDataStore
import Synchronization

/// Where a context was made, and the last use of the context or of an object of it on its queue.
///
/// Exists only while contexts check their queues; may be used from any thread.
final class QueueWatch: Sendable {
    private let birth = ObservedUse("the context was made")
    private let last = Mutex<ObservedUse?>(nil)

    /// Records a use by the caller.
    func note(_ what: String) {
        let use = ObservedUse(what)
        last.withLock { $0 = use }
    }

    /// The recorded uses of the context as text.
    var history: String {
        let made = "Made on \(birth.place) by:\n\(birth.stack)"
        guard let last = last.withLock({ $0 }) else { return "Never used on its queue. " + made }
        return "Last used on its queue (\(last.what)), on \(last.place), by:\n\(last.stack)\n" + made
    }
}

/// A use of a context or an object: what was used, and where.
struct ObservedUse: Sendable {
    let what: String
    let place: String
    private let addresses: [UInt]

    init(_ what: String) {
        self.what = what
        place = Self.placeOfCaller
        addresses = Thread.callStackReturnAddresses.map(\.uintValue)
    }

    /// The call stack of the use, the innermost call first, with the symbol names of the linker.
    var stack: String {
        addresses.dropFirst(2).map { "    \(Self.symbol(at: $0))" }.joined(separator: "\n")
    }

    /// The caller's thread and queue.
    static var placeOfCaller: String {
        let name = Thread.current.name ?? ""
        let thread = Thread.isMainThread ? "the main thread" : name.isEmpty ? "a thread" : "thread '\(name)'"
        let label = String(cString: coredata_queue_label())
        return thread + (label.isEmpty ? "" : " in queue '\(label)'")
    }

    private static func symbol(at address: UInt) -> String {
        let place = "0x" + String(address, radix: 16)
        guard let pointer = UnsafeRawPointer(bitPattern: address) else { return place }
        var path: UnsafePointer<CChar>?
        let name = coredata_symbol(pointer, &path)
        let file = path.map { URL(fileURLWithPath: String(cString: $0)).lastPathComponent } ?? "?"
        return "\(file) \(name.map { String(cString: $0) } ?? "?") (\(place))"
    }
}
