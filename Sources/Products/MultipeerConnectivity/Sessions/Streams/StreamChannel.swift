import Foundation
import PeerKit

/// The channel behind an output stream.
///
/// Invariants:
/// 1. All variables are read and changed only while `condition` is locked.
final class StreamChannel: ChannelSender, @unchecked Sendable {
    let scheduling = StreamScheduling()
    private let link: SessionLink?
    private let condition = NSCondition()
    private var number: UInt32 = 0
    private var isRoomy = true
    private var current = Stream.Status.notOpen
    private var failure: MCError?

    init(_ link: SessionLink?) { self.link = link }

    func assign(_ number: UInt32) { locked { self.number = number } }

    private func locked<Result>(_ body: () -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }

    var hasRoom: Bool { locked { isRoomy && failure == nil && current == .open } }
    var status: Stream.Status { locked { failure != nil && current != .closed ? .error : current } }
    var error: MCError? { locked { failure } }

    func open() -> Bool {
        locked {
            guard current == .notOpen else { return false }
            current = .open
            return true
        }
    }

    func write(_ bytes: Data) -> Int {
        let isOpen = locked {
            while !isRoomy, failure == nil, current == .open {
                _ = condition.wait(until: Date(timeIntervalSinceNow: 0.1))
            }
            return failure == nil && current == .open
        }
        guard isOpen, let link else { return -1 }
        guard !bytes.isEmpty else { return 0 }
        locked { isRoomy = false }
        do {
            if try link.connection.append(bytes, to: number) {
                locked { isRoomy = true }
                scheduling.report(.hasSpaceAvailable)
            }
            return bytes.count
        } catch {
            ended((error as? PeerFailure).map { MCError($0) } ?? MCError(.notConnected, "\(error)"))
            return -1
        }
    }

    func finish() {
        let isFirst = locked {
            defer { current = .closed }
            condition.broadcast()
            return current != .closed
        }
        guard isFirst, let link else { return }
        link.connection.end(number)
        link.forget(number)
    }

    func drained() {
        locked {
            isRoomy = true
            condition.broadcast()
        }
        scheduling.report(.hasSpaceAvailable)
    }

    func ended(_ error: MCError) {
        let isFirst = locked {
            guard failure == nil, current != .closed else { return false }
            failure = error
            condition.broadcast()
            return true
        }
        if isFirst { scheduling.report(.errorOccurred) }
    }
}
