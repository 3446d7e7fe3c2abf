import Foundation

/// Calls a block on the main thread when its run loop begins to do something, and when it begins to wait.
///
/// Foundation shows run-loop observers on Apple's systems only, but its library has those of CoreFoundation, whose functions are found
/// by their names. Where they are not found, as in programs that link Foundation statically, there is no observer.
final class RunLoopObserver: @unchecked Sendable {
    enum Event {
        case began
        case waits
    }

    /// Activities of `CFRunLoopActivity`.
    private enum Activity {
        static let entry = 1 << 0
        static let beforeTimers = 1 << 1
        static let beforeWaiting = 1 << 5
        static let afterWaiting = 1 << 6
        static let exit = 1 << 7
    }

    private typealias Callout = @convention(c) (OpaquePointer?, UInt, UnsafeMutableRawPointer?) -> Void

    /// `CFRunLoopObserverContext`: version, info, and functions to retain, release and describe that.
    private struct Context {
        var version = 0
        var info: UnsafeMutableRawPointer?
        var retain: OpaquePointer?
        var release: OpaquePointer?
        var describe: OpaquePointer?
    }

    private typealias Create =
        @convention(c) (OpaquePointer?, UInt, UInt8, Int, Callout, UnsafeMutableRawPointer?) -> OpaquePointer?
    private typealias Add = @convention(c) (OpaquePointer?, OpaquePointer?, OpaquePointer?) -> Void
    private typealias Release = @convention(c) (OpaquePointer?) -> Void
    private typealias Main = @convention(c) () -> OpaquePointer?

    private let handler: @Sendable (Event) -> Void
    private var observer: OpaquePointer?

    /// Begins to observe the main run loop; nil where that is not possible.
    init?(_ handler: @escaping @Sendable (Event) -> Void) {
        self.handler = handler
        guard let create = Self.function("CFRunLoopObserverCreate", Create.self),
            let add = Self.function("CFRunLoopAddObserver", Add.self),
            let main = Self.function("CFRunLoopGetMain", Main.self), let modes = Self.commonModes
        else { return nil }
        var context = Context(info: Unmanaged.passUnretained(self).toOpaque())
        // A round of the loop that waits for nothing begins with its timers.
        let activities =
            Activity.entry | Activity.beforeTimers | Activity.beforeWaiting | Activity.afterWaiting | Activity.exit
        let callout: Callout = { _, activity, info in
            guard let info else { return }
            let observer = Unmanaged<RunLoopObserver>.fromOpaque(info).takeUnretainedValue()
            let isWaiting = Int(activity) & (Activity.beforeWaiting | Activity.exit) != 0
            observer.handler(isWaiting ? .waits : .began)
        }
        // First of all observers when the loop begins, so that what the others do counts.
        observer = create(nil, UInt(activities), 1, -1_000_000, callout, &context)
        guard observer != nil else { return nil }
        // The run loop has a pointer to this until `invalidate()`.
        _ = Unmanaged.passRetained(self)
        add(main(), observer, modes)
    }

    /// Ends the observation. The main queue must not be in the handler: call it there, or wait for it.
    func invalidate() {
        guard let observer else { return }
        self.observer = nil
        Self.function("CFRunLoopObserverInvalidate", Release.self)?(observer)
        Self.function("CFRelease", Release.self)?(observer)
        Unmanaged.passUnretained(self).release()
    }

    /// `kCFRunLoopCommonModes`, a pointer to a constant string.
    private static var commonModes: OpaquePointer? {
        dlsym(nil, "kCFRunLoopCommonModes")?.assumingMemoryBound(to: OpaquePointer?.self).pointee
    }

    private static func function<Function>(_ name: String, _: Function.Type) -> Function? {
        guard let address = dlsym(nil, name) else { return nil }
        return unsafeBitCast(address, to: Function.self)
    }
}
