import CoreData
import CoreDataPictures
import CoreDataPlaces
import Foundation

/// The kinds of assets.
public enum PHAssetMediaType: Int, Sendable, Hashable {
    /// Of another kind.
    case unknown
    /// A picture.
    case image
    /// A film.
    case video
    /// Sound.
    case audio
}

/// A picture or film of a photo library, as it was when it was fetched. Immutable.
public struct PHAsset: Sendable, Hashable {
    /// An identifier that stays when the file is moved or renamed.
    public let localIdentifier: String
    /// The kind.
    public let mediaType: PHAssetMediaType
    /// The width as it is shown, in pixels; 0 where it is not known.
    public let pixelWidth: Int
    /// The height as it is shown, in pixels; 0 where it is not known.
    public let pixelHeight: Int
    /// When it was taken; where the file does not say it, when the file was changed.
    public let creationDate: Date?
    /// When the file or the asset was changed.
    public let modificationDate: Date?
    /// Seconds of a film; 0 for pictures, and where it is not known.
    public let duration: TimeInterval
    /// Whether the person marked it as a favourite.
    public let isFavorite: Bool
    /// Whether the person hid it: it is fetched only where hidden assets are asked for.
    public let isHidden: Bool
    /// Whether its file was there at the last scan.
    public let isAvailable: Bool
    /// The camera, as the file names it.
    public let camera: String?
    /// The file.
    public let url: URL
    /// The digest of the content, by which thumbnails are kept.
    let digest: String
    private let place: Place?

    private struct Place: Sendable, Hashable {
        let coordinate: CLLocationCoordinate2D
        let altitude: Double?
    }

    init(_ object: NSManagedObject, in folder: URL) {
        func value<Value>(_ key: String) -> Value? { object.value(forKey: key) as? Value }
        localIdentifier = value("identifier") ?? ""
        mediaType = (value("mediaType") as NSNumber?).flatMap { PHAssetMediaType(rawValue: $0.intValue) } ?? .unknown
        pixelWidth = (value("pixelWidth") as NSNumber?)?.intValue ?? 0
        pixelHeight = (value("pixelHeight") as NSNumber?)?.intValue ?? 0
        (creationDate, modificationDate) = (value("creationDate"), value("modificationDate"))
        duration = (value("duration") as NSNumber?)?.doubleValue ?? 0
        isFavorite = (value("isFavorite") as NSNumber?)?.boolValue ?? false
        isHidden = (value("isHidden") as NSNumber?)?.boolValue ?? false
        isAvailable = (value("isAvailable") as NSNumber?)?.boolValue ?? false
        camera = value("camera")
        digest = value("digest") ?? ""
        url = folder.appendingPathComponent(value("path") ?? "")
        if let latitude: NSNumber = value("latitude"), let longitude: NSNumber = value("longitude") {
            place = Place(
                coordinate: CLLocationCoordinate2D(
                    latitude: latitude.doubleValue, longitude: longitude.doubleValue),
                altitude: (value("altitude") as NSNumber?)?.doubleValue)
        } else {
            place = nil
        }
    }

    /// Where it was taken; nil where that is not known.
    public var location: CLLocation? {
        place.map {
            CLLocation(
                coordinate: $0.coordinate, altitude: $0.altitude ?? 0, horizontalAccuracy: 0,
                verticalAccuracy: $0.altitude == nil ? -1 : 1, timestamp: creationDate ?? .distantPast)
        }
    }

    /// Width, height and duration in one line, such as `4000 x 3000 - 0.0s`.
    public var sizeText: String {
        let tenths = Int((max(0, min(duration, 1e12)) * 10).rounded())
        return "\(pixelWidth) x \(pixelHeight) - \(tenths / 10).\(tenths % 10)s"
    }
}
