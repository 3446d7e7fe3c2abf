import CoreDataPlaces
import Foundation

/// What a picture or a film says of its making: when, where, with which camera.
public struct PictureDetails: Sendable, Hashable {
    /// When it was taken. Cameras often write no time zone: such a time is that of this machine's zone, and ``hasTimeZone`` is false.
    public var taken: Date?
    /// Whether the file says the time zone of ``taken``.
    public var hasTimeZone = false
    /// Where it was taken; nil where nothing valid is said.
    public var coordinate: CLLocationCoordinate2D?
    /// Metres above the sea; nil where nothing is said.
    public var altitude: CLLocationDistance?
    /// Who made the camera.
    public var maker: String?
    /// The camera.
    public var model: String?
    /// The lens.
    public var lens: String?

    /// Makes details that say nothing.
    public init() {}

    /// The camera with its maker, which models often repeat.
    public var camera: String? {
        guard let model else { return maker }
        guard let maker, !model.lowercased().hasPrefix(maker.lowercased()) else { return model }
        return "\(maker) \(model)"
    }

    /// Whether nothing is said.
    public var isEmpty: Bool { self == PictureDetails() }
}
