import Foundation

/// What a geocoder knows of a place: its names from street to country. Immutable.
open class CLPlacemark: NSObject, @unchecked Sendable {
    /// The parts of a placemark by name.
    public struct Parts: Sendable, Hashable {
        /// The name of the place itself.
        public var name: String?
        /// The street.
        public var thoroughfare: String?
        /// The number in the street.
        public var subThoroughfare: String?
        /// The town.
        public var locality: String?
        /// The part of the town.
        public var subLocality: String?
        /// The state or province.
        public var administrativeArea: String?
        /// The county or district.
        public var subAdministrativeArea: String?
        /// The postal code.
        public var postalCode: String?
        /// The country's code of ISO 3166-1, two letters.
        public var isoCountryCode: String?
        /// The country's name.
        public var country: String?

        /// Makes parts without values.
        public init() {}
    }

    /// All parts.
    public let parts: Parts
    /// Where the place is.
    public let location: CLLocation?
    /// How far the place is from what was asked for, in metres; nil for a place found by its name.
    public let distance: CLLocationDistance?
    /// Whose data the placemark is made of, to be shown with it; nil if nothing has to be.
    public let attribution: String?

    /// Makes a placemark.
    public init(
        location: CLLocation?, parts: Parts, distance: CLLocationDistance? = nil, attribution: String? = nil
    ) {
        (self.location, self.parts, self.distance, self.attribution) = (location, parts, distance, attribution)
    }

    /// The name of the place itself.
    open var name: String? { parts.name }
    /// The street.
    open var thoroughfare: String? { parts.thoroughfare }
    /// The number in the street.
    open var subThoroughfare: String? { parts.subThoroughfare }
    /// The town.
    open var locality: String? { parts.locality }
    /// The part of the town.
    open var subLocality: String? { parts.subLocality }
    /// The state or province.
    open var administrativeArea: String? { parts.administrativeArea }
    /// The county or district; many places have none.
    open var subAdministrativeArea: String? { parts.subAdministrativeArea }
    /// The postal code.
    open var postalCode: String? { parts.postalCode }
    /// The country's code of ISO 3166-1, two letters.
    open var isoCountryCode: String? { parts.isoCountryCode }
    /// The country's name.
    open var country: String? { parts.country }

    /// The address: number and street, town, state and postal code.
    public var address: PostalAddress {
        let street = [subThoroughfare, thoroughfare].compactMap { $0 }.joined(separator: " ")
        return PostalAddress(
            street: street.isEmpty ? nil : street, city: locality, state: administrativeArea, zip: postalCode)
    }
}
