import Foundation
import LockKit

/// Finds the address of a place and the place of an address; one request at a time, as Apple's class.
///
/// It asks a ``GeocodingService``: the product `CoreDataGazetteer` has one over a Core Data store of towns, and one over
/// a service on the network. Methods may be called from any thread; completion handlers are called on the main queue.
open class CLGeocoder: NSObject, @unchecked Sendable {
    /// What is called with placemarks, or with an error of type ``CLError``.
    public typealias CLGeocodeCompletionHandler = @Sendable ([CLPlacemark]?, (any Error)?) -> Void

    private static let usual = Locked<(any GeocodingService)?>(nil)
    private static let mostPlacemarks = 10
    private let service: (any GeocodingService)?
    private let task = Locked<(number: Int, task: Task<[CLPlacemark], any Error>)?>(nil)
    private let counter = Locked(0)

    /// The service of geocoders that are made without one; nil at first.
    public static var defaultService: (any GeocodingService)? {
        get { usual.withLock { $0 } }
        set { usual.withLock { $0 = newValue } }
    }

    /// Makes a geocoder that asks ``defaultService``.
    public override init() { service = Self.defaultService }

    /// Makes a geocoder that asks a service.
    public init(service: any GeocodingService) { self.service = service }

    /// Whether a request has not been answered yet.
    open var isGeocoding: Bool { task.withLock { $0 != nil } }

    /// The places nearest to a location, the nearest first.
    ///
    /// - Throws: ``CLError``: `geocodeFoundNoResult`, `geocodeCanceled`, `network`.
    open func reverseGeocodeLocation(
        _ location: CLLocation, preferredLocale locale: Locale? = nil
    ) async throws -> [CLPlacemark] {
        guard CLLocationCoordinate2DIsValid(location.coordinate) else {
            throw CLError(
                .geocodeFoundNoResult, reason: "the location has no valid coordinate",
                hint: "latitudes are within ±90 degrees, longitudes within ±180")
        }
        return try await perform {
            try await $0.placemarks(near: location, limit: Self.mostPlacemarks, locale: locale)
        }
    }

    /// The places with a name or an address, the most probable first.
    ///
    /// - Throws: ``CLError``: `geocodeFoundNoResult`, `geocodeCanceled`, `network`.
    open func geocodeAddressString(
        _ addressString: String, in region: CLRegion? = nil, preferredLocale locale: Locale? = nil
    ) async throws -> [CLPlacemark] {
        guard addressString.contains(where: { !$0.isWhitespace }) else {
            throw CLError(.geocodeFoundNoResult, reason: "the address is empty", hint: "give the name of a place")
        }
        return try await perform {
            try await $0.placemarks(named: addressString, in: region, limit: Self.mostPlacemarks, locale: locale)
        }
    }

    /// The places nearest to a location, given to a handler on the main queue, once.
    open func reverseGeocodeLocation(
        _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        answer(completionHandler) { try await self.reverseGeocodeLocation(location) }
    }

    /// The places with a name or an address, given to a handler on the main queue, once.
    open func geocodeAddressString(
        _ addressString: String, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        answer(completionHandler) { try await self.geocodeAddressString(addressString) }
    }

    /// Ends the request that is not yet answered: it fails with `geocodeCanceled`.
    open func cancelGeocode() { task.withLock { $0?.task.cancel() } }

    private func answer(
        _ handler: @escaping CLGeocodeCompletionHandler, _ body: @escaping @Sendable () async throws -> [CLPlacemark]
    ) {
        Task {
            do {
                let found = try await body()
                DispatchQueue.main.async { handler(found, nil) }
            } catch {
                DispatchQueue.main.async { handler(nil, error) }
            }
        }
    }

    private func perform(
        _ request: @escaping @Sendable (any GeocodingService) async throws -> [CLPlacemark]
    ) async throws -> [CLPlacemark] {
        guard let service else {
            throw CLError(
                .network, reason: "no geocoding service is configured",
                hint: "set CLGeocoder.defaultService, or make the geocoder with a service")
        }
        let number = counter.withLock { counter in
            counter += 1
            return counter
        }
        let work = Task {
            try Task.checkCancellation()
            let found = try await request(service)
            try Task.checkCancellation()
            return found
        }
        // A request that begins ends the one before, as the geocoder has one at a time.
        task.withLock { task in
            task?.task.cancel()
            task = (number, work)
        }
        defer { task.withLock { if $0?.number == number { $0 = nil } } }
        do {
            let found = try await withTaskCancellationHandler {
                try await work.value
            } onCancel: {
                work.cancel()
            }
            guard !found.isEmpty else { throw CLError(.geocodeFoundNoResult) }
            return found
        } catch is CancellationError {
            throw CLError(.geocodeCanceled)
        }
    }
}
