import CMicroHTTPD
import CoreDataBrowser
import HTTPServerKit
import Synchronization

/// The state that the exchanges of a server share.
final class ServerCore: Sendable {
    let browser: Browser
    let places: ConnectionPlaces
    private let watch: DisconnectWatch
    private let tasks = RunningTasks()
    private let exchanges = Mutex(Register())

    private struct Register: Sendable {
        var last: UInt64 = 0
        var open: [UInt64: Exchange] = [:]
        var isEnding = false
    }

    init(_ browser: Browser, places: ConnectionPlaces) throws {
        self.browser = browser
        self.places = places
        watch = try DisconnectWatch()
    }

    /// The number of requests that are being answered, including those whose tasks still run after their clients have
    /// disconnected.
    var count: Int { max(exchanges.withLock { $0.open.count }, tasks.count) }

    /// Makes the exchange of a new request.
    ///
    /// - Parameter bytes: The length of the received target in bytes.
    func begin(target: String?, bytes: Int, _ connection: ConnectionHandle) -> Exchange {
        let (exchange, isEnding) = exchanges.withLock { register in
            register.last += 1
            let exchange = Exchange(
                register.last, target: target, bytes: bytes, connection: connection, browser: browser, tasks: tasks,
                places: places)
            register.open[exchange.number] = exchange
            return (exchange, register.isEnding)
        }
        if isEnding { exchange.abandon() }
        watch.add(connection.socket, as: exchange.number) { [weak exchange] in exchange?.abandon() }
        return exchange
    }

    /// Ends and removes an exchange whose request the daemon has completed.
    func end(_ exchange: Exchange) {
        watch.remove(exchange.connection.socket, exchange.number)
        exchange.complete()
        places.set(exchange.connection, .idle)
        exchanges.withLock { _ = $0.open.removeValue(forKey: exchange.number) }
    }

    /// Cancels all requests, including those that still arrive.
    func abandonAll() { for exchange in end() { exchange.abandon() } }

    /// Cancels endless requests, and all requests that still arrive.
    func abandonEndless() { for exchange in end() where exchange.isEndless { exchange.abandon() } }

    /// Stops accepting requests; returns the running ones.
    private func end() -> [Exchange] {
        exchanges.withLock { register in
            register.isEnding = true
            return Array(register.open.values)
        }
    }
}
