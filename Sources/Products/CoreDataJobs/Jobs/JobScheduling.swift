import Foundation

/// What jobs need of their queue.
final class JobScheduling: Sendable {
    let operations = OperationQueue()
    let network: (any NetworkStatus)?

    init(network: (any NetworkStatus)?) { self.network = network }
}
