import CoreDataGazetteer
import CoreDataPlaces
import Foundation
import TestServers
import Testing

/// A geocoding service on loopback that answers as Nominatim does, or badly.
@Suite struct NominatimTests {
    private static let answer = """
        {"place_id":1,"licence":"Data © OpenStreetMap contributors","lat":"48.8566","lon":"2.3522","name":"",
        "address":{"house_number":"4","road":"Rue de Rivoli","suburb":"4e","city":"Paris","state":"Île-de-France",
        "postcode":"75004","country":"France","country_code":"fr"}}
        """

    private func service(_ body: String, _ status: Int = 200) throws -> (ScriptedServer, NominatimService) {
        let server = try ScriptedServer { _, reply in
            try reply.respond(status, ["Content-Type: application/json"], text: body)
        }
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/geo/"))
        return (server, NominatimService(url: url, interval: 0))
    }

    private func code(_ body: () async throws -> [CLPlacemark]) async -> CLError.Code? {
        do {
            _ = try await body()
            return nil
        } catch { return (error as? CLError)?.code }
    }

    @Test("MAP-10: a service is asked for a place, and its street is in the placemark")
    func reverse() async throws {
        let (server, service) = try service(Self.answer)
        let found = try await CLGeocoder(service: service).reverseGeocodeLocation(
            CLLocation(latitude: 0.00001, longitude: -2.5), preferredLocale: Locale(identifier: "fr_FR"))
        #expect(found.first?.address.line == "4 Rue de Rivoli, Paris, Île-de-France  75004")
        #expect(found.first?.isoCountryCode == "FR" && found.first?.attribution == "Data © OpenStreetMap contributors")
        #expect(found.first?.name == nil && found.first?.subLocality == "4e")
        let request = try #require(server.requests.first)
        #expect(request.target == "/geo/reverse?format=jsonv2&addressdetails=1&lat=0.0000100&lon=-2.5000000")
        #expect(request.field("Accept-Language") == "fr-FR")
    }

    @Test("MAP-10: a service is asked for an address, with characters that URLs reserve")
    func forward() async throws {
        let (server, service) = try service("[\(Self.answer), {\"lat\":\"x\"}]")
        let region = CLCircularRegion(center: CLLocationCoordinate2DMake(48, 2), radius: 1000, identifier: "r")
        let found = try await CLGeocoder(service: service).geocodeAddressString("4 Rue & Quai + 1=2?", in: region)
        #expect(found.count == 1 && found.first?.locality == "Paris")
        let target = try #require(server.requests.first?.target)
        #expect(
            target.contains("q=4%20Rue%20%26%20Quai%20%2B%201%3D2?&")
                || target.contains("q=4%20Rue%20%26%20Quai%20%2B%201%3D2%3F&"), "\(target)")
        #expect(target.contains("viewbox="))
    }

    @Test("MAP-10: an answer without a place means that none was found; a failure or something else is a network error")
    func failures() async throws {
        let here = CLLocation(latitude: 1, longitude: 2)
        for (body, status, expected) in [
            ("{\"error\":\"Unable to geocode\"}", 200, CLError.Code.geocodeFoundNoResult),
            ("{\"lat\":\"999\",\"lon\":\"0\"}", 200, .geocodeFoundNoResult), ("<html>", 200, .network),
            ("[]", 200, .network), ("{}", 503, .network), ("", 429, .network),
        ] {
            let (server, service) = try service(body, status)
            #expect(
                await code { try await service.placemarks(near: here, limit: 1, locale: nil) } == expected, "\(body)")
            withExtendedLifetime(server) {}
        }
        let (server, service) = try service("[]")
        #expect(
            await code { try await service.placemarks(named: "x", in: nil, limit: 1, locale: nil) }
                == .geocodeFoundNoResult)
        server.stop()
        #expect(await code { try await service.placemarks(near: here, limit: 1, locale: nil) } == .network)
    }

    @Test("MAP-10: requests follow each other at the interval that the service asks for")
    func interval() async throws {
        let (server, fast) = try service(Self.answer)
        let slow = NominatimService(url: fast.url, interval: 0.1)
        let start = ContinuousClock.now
        for _ in 0..<4 {
            _ = try await slow.placemarks(near: CLLocation(latitude: 1, longitude: 2), limit: 1, locale: nil)
        }
        #expect(ContinuousClock.now - start >= .milliseconds(300))
        #expect(server.requests.count == 4)
    }
}
