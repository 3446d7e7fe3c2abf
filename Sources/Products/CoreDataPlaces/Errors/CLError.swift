import Foundation

/// The domain of errors of locations and geocoders: `kCLErrorDomain`.
public let kCLErrorDomain = "kCLErrorDomain"

/// An error of a location manager or a geocoder, by Apple's codes.
public struct CLError: Error, Sendable, Hashable, CustomNSError, LocalizedError, CustomStringConvertible {
    /// Apple's codes.
    public enum Code: Int, Sendable, Hashable {
        /// No location is known now; a later one may be.
        case locationUnknown = 0
        /// The user or the system refused access to locations.
        case denied
        /// The network was not available, or did not answer.
        case network
        /// The direction could not be determined.
        case headingFailure
        /// Monitoring of regions was refused.
        case regionMonitoringDenied
        /// A region cannot be monitored.
        case regionMonitoringFailure
        /// Monitoring of a region begins late.
        case regionMonitoringSetupDelayed
        /// Events of a region may come late.
        case regionMonitoringResponseDelayed
        /// The geocoder found nothing.
        case geocodeFoundNoResult
        /// The geocoder found part of the address only.
        case geocodeFoundPartialResult
        /// The request of the geocoder was cancelled.
        case geocodeCanceled
    }

    /// What failed.
    public let code: Code
    /// What happened, in a sentence; for ``Code/denied`` it begins with "Access Denied".
    public let reason: String
    /// What to do about it; empty if nothing can be said.
    public let hint: String

    /// Makes an error, in the usual words of its code if none are given.
    public init(_ code: Code, reason: String? = nil, hint: String = "") {
        self.code = code
        self.hint = hint
        self.reason = reason ?? Self.words(code)
    }

    /// `kCLErrorDomain`.
    public static var errorDomain: String { kCLErrorDomain }
    /// The number of ``code``.
    public var errorCode: Int { code.rawValue }
    /// The sentence under `NSLocalizedDescriptionKey`, the hint under `NSLocalizedRecoverySuggestionErrorKey`.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: reason]
        if !hint.isEmpty { info[NSLocalizedRecoverySuggestionErrorKey] = hint }
        return info
    }
    /// The sentence.
    public var errorDescription: String? { reason }
    /// The sentence and the hint.
    public var description: String { hint.isEmpty ? reason : "\(reason); \(hint)" }

    private static func words(_ code: Code) -> String {
        switch code {
        case .locationUnknown: "the location is not known now"
        case .denied, .regionMonitoringDenied: "Access Denied"
        case .network: "the network did not answer"
        case .headingFailure: "the direction could not be determined"
        case .regionMonitoringFailure: "the region cannot be monitored"
        case .regionMonitoringSetupDelayed: "monitoring of the region begins late"
        case .regionMonitoringResponseDelayed: "events of the region may come late"
        case .geocodeFoundNoResult: "no place was found"
        case .geocodeFoundPartialResult: "only part of the address was found"
        case .geocodeCanceled: "the request was cancelled"
        }
    }
}

/// The code of ``CLError/Code/locationUnknown``.
public var kCLErrorLocationUnknown: Int { CLError.Code.locationUnknown.rawValue }
/// The code of ``CLError/Code/denied``.
public var kCLErrorDenied: Int { CLError.Code.denied.rawValue }
/// The code of ``CLError/Code/network``.
public var kCLErrorNetwork: Int { CLError.Code.network.rawValue }
/// The code of ``CLError/Code/geocodeFoundNoResult``.
public var kCLErrorGeocodeFoundNoResult: Int { CLError.Code.geocodeFoundNoResult.rawValue }
/// The code of ``CLError/Code/geocodeCanceled``.
public var kCLErrorGeocodeCanceled: Int { CLError.Code.geocodeCanceled.rawValue }
