import CoreDataPlaces
import Foundation
import Testing

/// Addresses as text, and geocoders over a service.
@Suite struct AddressTests {
    @Test("MAP-11: an address is composed of the parts that are there, in all 16 combinations")
    func combinations() {
        let expected = [
            "", "12345", "CA", "CA  12345", "Town", "Town  12345", "Town, CA", "Town, CA  12345", "1 Way",
            "1 Way  12345", "1 Way, CA", "1 Way, CA  12345", "1 Way, Town", "1 Way, Town  12345", "1 Way, Town, CA",
            "1 Way, Town, CA  12345",
        ]
        for (number, line) in expected.enumerated() {
            for missing in [nil, "", " \n"] {
                let address = PostalAddress(
                    street: number & 8 > 0 ? "1 Way" : missing, city: number & 4 > 0 ? "Town" : missing,
                    state: number & 2 > 0 ? "CA" : missing, zip: number & 1 > 0 ? "12345" : missing)
                #expect(address.line == line)
            }
        }
    }

    @Test("MAP-11: a placemark's address has number and street in front")
    func addressOfPlacemark() {
        var parts = CLPlacemark.Parts()
        (parts.subThoroughfare, parts.thoroughfare, parts.locality) = ("1", "Infinite Loop", "Cupertino")
        (parts.administrativeArea, parts.postalCode, parts.isoCountryCode) = ("CA", "95014", "US")
        let placemark = CLPlacemark(location: nil, parts: parts)
        #expect(placemark.address.line == "1 Infinite Loop, Cupertino, CA  95014")
        #expect(placemark.isoCountryCode == "US" && placemark.subLocality == nil)
    }
}

/// Answers as a test says.
private struct FakeService: GeocodingService {
    let answer: @Sendable () async throws -> [CLPlacemark]
    func placemarks(near location: CLLocation, limit: Int, locale: Locale?) async throws -> [CLPlacemark] {
        try await answer()
    }
    func placemarks(
        named address: String, in region: CLRegion?, limit: Int, locale: Locale?
    ) async throws -> [CLPlacemark] { try await answer() }
}

/// Geocoders: answers, errors, cancelling.
@Suite struct GeocoderTests {
    private let here = CLLocation(latitude: 47, longitude: 8)

    private func code(_ body: () async throws -> [CLPlacemark]) async -> CLError.Code? {
        do {
            _ = try await body()
            return nil
        } catch { return (error as? CLError)?.code }
    }

    @Test("MAP-10: a geocoder answers with placemarks, and with an error without any or if the service fails")
    func answers() async throws {
        let place = CLPlacemark(location: here, parts: .init())
        let geocoder = CLGeocoder(service: FakeService { [place] })
        #expect(try await geocoder.reverseGeocodeLocation(here).first === place)
        #expect(!geocoder.isGeocoding)
        let none = CLGeocoder(service: FakeService { [] })
        #expect(await code { try await none.geocodeAddressString("Nowhere") } == .geocodeFoundNoResult)
        #expect(await code { try await none.geocodeAddressString(" ") } == .geocodeFoundNoResult)
        let failing = CLGeocoder(service: FakeService { throw CLError(.network) })
        #expect(await code { try await failing.reverseGeocodeLocation(here) } == .network)
        let invalid = CLLocation(latitude: 91, longitude: 0)
        #expect(await code { try await geocoder.reverseGeocodeLocation(invalid) } == .geocodeFoundNoResult)
    }

    @Test("MAP-10: a completion handler is called once on the main queue, with placemarks or an error")
    func completionHandlers() async {
        let geocoder = CLGeocoder(service: FakeService { throw CLError(.geocodeFoundNoResult) })
        let error = await withCheckedContinuation { continuation in
            geocoder.reverseGeocodeLocation(here) { found, error in
                dispatchPrecondition(condition: .onQueue(.main))
                continuation.resume(returning: found == nil ? error as? CLError : nil)
            }
        }
        #expect(error?.code == .geocodeFoundNoResult)
    }

    @Test("MAP-10: a cancelled request fails with geocodeCanceled")
    func cancelling() async {
        let geocoder = CLGeocoder(
            service: FakeService {
                try await Task.sleep(for: .seconds(600))
                return []
            })
        let asked = Task {
            await code { try await geocoder.reverseGeocodeLocation(CLLocation(latitude: 1, longitude: 1)) }
        }
        while !geocoder.isGeocoding { await Task.yield() }
        geocoder.cancelGeocode()
        #expect(await asked.value == .geocodeCanceled)
        #expect(!geocoder.isGeocoding)
    }
}
