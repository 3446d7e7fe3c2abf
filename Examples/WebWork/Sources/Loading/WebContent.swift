import CoreDataTransfer
import Foundation

/// What was loaded, or what the page says in its place.
enum WebContent: Equatable, Sendable {
    case image(Data)
    case text(String)
    case message(String)

    /// What the page says when nothing could be loaded.
    ///
    /// A server that answered is named by its status. The ways that wait know no more than that there was no answer; the
    /// one that does not hears why.
    init(failure error: any Error, of way: Way, at url: URL) {
        let failure = error as? TransferError
        switch (failure?.code, way) {
        case (.status(let status), _): self = .message("Encountered \(status) error while loading")
        case (_, .asynchronous):
            let reason = failure?.reason ?? error.localizedDescription
            let place = (failure?.url ?? url).absoluteString
            self = .message("Connection failed! Error - \(reason) (URL: \(place))")
        default: self = .message("Unable to contact server.")
        }
    }
}
