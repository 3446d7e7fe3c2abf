import Foundation

/// Why a hub does not do what it is asked for, as a status of HTTP and a sentence.
struct HubRefusal: Error, Sendable {
    let status: UInt32
    let reason: String

    init(_ status: UInt32, _ reason: String) { (self.status, self.reason) = (status, reason) }

    static let full = HubRefusal(507, "the hub has no room for more")
    static let notFound = HubRefusal(404, "there is no such item")
    static let ending = HubRefusal(503, "the hub ends")

    /// A failure of the disk, by the number of the system's error.
    static func disk(_ number: Int32) -> HubRefusal {
        [ENOSPC, EDQUOT, EFBIG].contains(number)
            ? full : HubRefusal(500, "the hub's disk fails: \(String(cString: strerror(number)))")
    }
}
