import CoreDataPlaces
import Foundation
import Testing

/// Coordinates, their distances and what is none.
@Suite struct CoordinateTests {
    private func distance(_ one: (Double, Double), _ other: (Double, Double)) -> Double {
        CLLocation(latitude: one.0, longitude: one.1).distance(from: CLLocation(latitude: other.0, longitude: other.1))
    }

    @Test("distances on the ellipsoid are those of published geodesics (MAP-01)")
    func ellipsoidalDistances() {
        // Vincenty's example of Australian geodesy: Flinders Peak to Buninyong, 54,972.271 m.
        let flinders = (-(37 + 57 / 60.0 + 3.72030 / 3600), 144 + 25 / 60.0 + 29.52440 / 3600)
        let buninyong = (-(37 + 39 / 60.0 + 10.15610 / 3600), 143 + 55 / 60.0 + 35.38390 / 3600)
        #expect(abs(distance(flinders, buninyong) - 54_972.271) < 0.002)
        // A quarter of a meridian, and a degree of the equator.
        #expect(abs(distance((0, 0), (90, 0)) - 10_001_965.729) < 0.01)
        #expect(abs(distance((0, 0), (0, 1)) - 111_319.4908) < 0.001)
        #expect(distance((12, 34), (12, 34)) == 0)
    }

    @Test("points on both sides of the date line are near each other, opposite ones half the Earth apart (MAP-02)")
    func distancesAroundTheEarth() {
        #expect(abs(distance((0, 179.9999), (0, -179.9999)) - 22.26) < 0.01)
        #expect((19_900_000...20_100_000).contains(distance((0, 0), (0.1, 179.9))))
        #expect((19_900_000...20_100_000).contains(distance((0, 0), (0, 180))))
        #expect(distance((90, 0), (90, 137)) < 1e-6)
    }

    @Test("the sphere is within 0.6 % of the ellipsoid")
    func sphericalDistances() {
        var worst = 0.0
        for step in 0..<2000 {
            let one = (Double(step * 37 % 179) - 89, Double(step * 101 % 359) - 179)
            let other = (Double(step * 53 % 179) - 89, Double(step * 71 % 359) - 179)
            let exact = distance(one, other)
            guard exact > 0 else { continue }
            let sphere = CLLocationCoordinate2D(latitude: one.0, longitude: one.1).sphericalDistance(
                to: CLLocationCoordinate2D(latitude: other.0, longitude: other.1))
            worst = max(worst, abs(sphere / exact - 1))
        }
        #expect(worst < 0.006)
    }

    @Test("numbers that cannot be a place are refused by the attribute's name, with a hint if exchanging would help")
    func invalidNumbers() throws {
        func error(_ latitude: Double, _ longitude: Double) -> CoordinateError? {
            #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(latitude, longitude)))
            do throws(CoordinateError) {
                _ = try CLLocationCoordinate2D(
                    validatingLatitude: latitude, longitude: longitude, names: ("homeLat", "homeLng"))
                return nil
            } catch { return error }
        }
        let beyond = try #require(error(91, 200))
        #expect(beyond.attribute == "homeLat" && !beyond.wouldFitExchanged)
        let exchanged = try #require(error(151.2, -33.9))
        #expect(exchanged.attribute == "homeLat" && exchanged.wouldFitExchanged)
        #expect(exchanged.description.contains("exchanged") && exchanged.description.contains("homeLat"))
        #expect(error(.nan, 0)?.attribute == "homeLat")
        #expect(error(10, .infinity)?.attribute == "homeLng")
        #expect(error(10, -180.0000001)?.attribute == "homeLng")
        #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
        for (latitude, longitude) in [(90.0, 180.0), (-90, -180), (0, 0)] {
            let made = try CLLocationCoordinate2D(validatingLatitude: latitude, longitude: longitude)
            #expect(CLLocationCoordinate2DIsValid(made))
        }
    }

    @Test("a circle contains what is within its radius, also over the date line (MAP-09)")
    func circles() {
        let fiji = CLCircularRegion(
            center: CLLocationCoordinate2DMake(-16.8, 179.99), radius: 5000, identifier: "Taveuni")
        #expect(fiji.contains(CLLocationCoordinate2DMake(-16.8, -179.98)))
        #expect(!fiji.contains(CLLocationCoordinate2DMake(-16.8, -179.95)))
        #expect(!fiji.contains(CLLocationCoordinate2DMake(.nan, 180)))
        let none = CLCircularRegion(center: fiji.center, radius: .nan, identifier: "none")
        #expect(!none.contains(fiji.center))
        #expect(CLCircularRegion(center: fiji.center, radius: 0, identifier: "dot").contains(fiji.center))
    }
}
