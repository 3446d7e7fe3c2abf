import Dispatch
import HTTPServerKit
import Synchronization

/// What the exchanges of a hub share.
final class HubCore: Sendable {
    let storage: HubStorage
    let access: HubAccess
    let places: ConnectionPlaces
    let watch: DisconnectWatch
    let waiting: WaitingClients
    /// Where the disk is waited for.
    let queue = DispatchQueue(label: "CoreDataSyncHubServer", attributes: .concurrent)
    private let settings: HubSettings
    private let exchanges = Mutex(Register())

    private struct Register: Sendable {
        var last: UInt64 = 0
        var open: [UInt64: HubExchange] = [:]
        var isEnding = false
        var isOver = false
    }

    init(_ settings: HubSettings) throws {
        self.settings = settings
        let waiting = WaitingClients(answeringOn: queue)
        self.waiting = waiting
        storage = try HubStorage(settings) { waiting.wake(group: $0) }
        access = HubAccess(settings)
        places = ConnectionPlaces(settings.connections, isEncrypted: settings.security == .pinnedKeys)
        watch = try DisconnectWatch()
    }

    /// The number of requests that have begun, and of those that are being answered.
    var counts: (begun: Int, open: Int) { exchanges.withLock { (Int($0.last), $0.open.count) } }
    /// The longest time that a client waits for a change, in seconds.
    var longestWait: Double { settings.waitSeconds }
    var isEnding: Bool { exchanges.withLock { $0.isEnding } }
    /// Whether no connection may be suspended any more.
    var isOver: Bool { exchanges.withLock { $0.isOver } }

    /// Makes the exchange of a new request.
    func begin(target: String?, _ connection: ConnectionHandle) -> HubExchange {
        exchanges.withLock { register in
            register.last += 1
            let exchange = HubExchange(register.last, target: target, connection, self)
            register.open[exchange.number] = exchange
            return exchange
        }
    }

    /// Ends and removes an exchange whose request the daemon has completed.
    func end(_ exchange: HubExchange) {
        waiting.remove(exchange.number)
        watch.remove(exchange.connection.socket, exchange.number)
        exchange.abandon()
        places.set(exchange.connection, .idle)
        exchanges.withLock { _ = $0.open.removeValue(forKey: exchange.number) }
    }

    /// Whether an item comes so slowly that its connection is ended.
    func isTooSlow(_ upload: Upload) -> Bool {
        let seconds = upload.begun.duration(to: .now) / .seconds(1)
        return seconds > settings.graceSeconds + Double(upload.received) / settings.leastBytesPerSecond
    }

    /// Refuses new requests from now on, and answers those that wait.
    func beginEnding() {
        exchanges.withLock { $0.isEnding = true }
        waiting.wakeAll()
    }

    /// Ends all requests without an answer.
    func abandonAll() {
        let open = exchanges.withLock { register in
            register.isOver = true
            return Array(register.open.values)
        }
        for exchange in open { exchange.abandon() }
    }
}
