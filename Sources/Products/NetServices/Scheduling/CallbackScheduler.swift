import Dispatch
import Foundation
import LockKit

/// Carries calls to a delegate to where the program wants them: a run loop in some modes, or a queue; in order, one at
/// a time.
///
/// Open-source Foundation's `RunLoop.perform` wakes no other thread, so a timer is added, which does. The calls of the
/// main run loop go by the main queue, so that they also arrive in programs that serve that queue alone.
///
/// Invariants:
/// 1. `waiting` has the calls that were not begun, in order.
final class CallbackScheduler: @unchecked Sendable {
    private struct Place {
        let loop: RunLoop
        let mode: RunLoop.Mode
        /// Keeps the run loop from ending for want of sources.
        let keeper: Timer
    }
    private struct State {
        var places: [Place] = []
        var queue: DispatchQueue?
        var waiting: [@Sendable () -> Void] = []
    }
    private let state = Locked(State())

    /// - Parameter loop: Where calls go at first, in its default mode.
    init(loop: RunLoop) { schedule(in: loop, forMode: .default) }

    /// A scheduler without a place; calls wait for one.
    init() {}

    /// A scheduler with the places of another one.
    init(like other: CallbackScheduler) {
        let (places, queue) = other.state.withLock { ($0.places, $0.queue) }
        if let queue {
            schedule(on: queue)
        } else {
            for place in places { schedule(in: place.loop, forMode: place.mode) }
        }
    }

    deinit { for place in state.withLock({ $0.places }) { place.keeper.invalidate() } }

    func schedule(in loop: RunLoop, forMode mode: RunLoop.Mode) {
        let keeper = Timer(timeInterval: 1e9, repeats: true) { _ in }
        state.withLock { state in
            state.queue = nil
            state.places.append(Place(loop: loop, mode: mode, keeper: keeper))
        }
        loop.add(keeper, forMode: mode)
        wake()
    }

    func remove(from loop: RunLoop, forMode mode: RunLoop.Mode) {
        let gone = state.withLock { state in
            let gone = state.places.filter { $0.loop === loop && $0.mode == mode }
            state.places.removeAll { $0.loop === loop && $0.mode == mode }
            return gone
        }
        for place in gone { place.keeper.invalidate() }
    }

    /// Sends all calls to a queue from now on, instead of run loops.
    func schedule(on queue: DispatchQueue) {
        let gone = state.withLock { state in
            let gone = state.places
            (state.places, state.queue) = ([], queue)
            return gone
        }
        for place in gone { place.keeper.invalidate() }
        wake()
    }

    func perform(_ call: @escaping @Sendable () -> Void) {
        state.withLock { $0.waiting.append(call) }
        wake()
    }

    private func wake() {
        let (places, queue, isIdle) = state.withLock { ($0.places, $0.queue, $0.waiting.isEmpty) }
        guard !isIdle else { return }
        if let queue { return queue.async { [self] in performWaiting() } }
        for place in places {
            if place.loop === RunLoop.main, place.mode == .default || place.mode == .common {
                DispatchQueue.main.async { [self] in performWaiting() }
            } else {
                place.loop.add(
                    Timer(fire: Date(), interval: 0, repeats: false) { [self] _ in performWaiting() },
                    forMode: place.mode)
            }
        }
    }

    private func performWaiting() {
        while let call = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) { call() }
    }
}
