import Dispatch

/// Ends endless work when the process is asked to end: by Ctrl-C, or by the process that started it.
///
/// From `init` to `end()` the signals SIGINT and SIGTERM call a block. `end()` restores their former handlers.
package final class Interruption {
    private var sources: [any DispatchSourceSignal] = []
    private var former: [(signal: Int32, handler: (@convention(c) (Int32) -> Void)?)] = []

    /// Returns when the signals are being watched, so that none is missed afterwards.
    package init(_ interrupted: @escaping @Sendable () -> Void) {
        let registrations = DispatchGroup()
        for number in [SIGINT, SIGTERM] {
            // Otherwise the signal would end the process before it has printed its results.
            former.append((number, signal(number, SIG_IGN)))
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: interrupted)
            registrations.enter()
            source.setRegistrationHandler { registrations.leave() }
            source.resume()
            sources.append(source)
        }
        registrations.wait()
    }

    package func end() {
        for source in sources { source.cancel() }
        for (number, handler) in former { signal(number, handler) }
        (sources, former) = ([], [])
    }
}
