import CoreDataPlaces
import Foundation
import TestBasics
import Testing

/// Regions of maps: made of metres, fitted to views, over the date line.
@Suite struct MapRegionTests {
    @Test("MAP-01: a region of metres has twice the longitude at 60 degrees of latitude")
    func regionsOfMetres() {
        let equator = MKCoordinateRegionMakeWithDistance(CLLocationCoordinate2DMake(0, 10), 2000, 2000)
        let north = MKCoordinateRegionMakeWithDistance(CLLocationCoordinate2DMake(60, 10), 2000, 2000)
        #expect(abs(equator.span.latitudeDelta - 2 / 111.12) < 1e-12)
        #expect(equator.span.latitudeDelta == north.span.latitudeDelta)
        #expect(abs(equator.span.longitudeDelta - equator.span.latitudeDelta) < 1e-12)
        #expect(abs(north.span.longitudeDelta / equator.span.longitudeDelta - 2) < 1e-9)
        let pole = MKCoordinateRegionMakeWithDistance(CLLocationCoordinate2DMake(90, 0), 2000, 2000)
        #expect(pole.span.longitudeDelta == 360 && pole.isValid)
        let huge = MKCoordinateRegionMakeWithDistance(CLLocationCoordinate2DMake(0, 0), 1e12, 1e12)
        #expect(huge.span == MKCoordinateSpanMake(180, 360))
        let negative = MKCoordinateRegionMakeWithDistance(CLLocationCoordinate2DMake(90, 0), -5, -5)
        #expect(negative.span == MKCoordinateSpan())
    }

    @Test("MAP-02: a fitted region contains the region and has the view's ratio, at random regions and views")
    func fittedRegions() {
        var random = SeededRandom(seed: 53)
        for _ in 0..<5000 {
            let region = MKCoordinateRegionMake(
                CLLocationCoordinate2DMake(
                    .random(in: -70...70, using: &random), .random(in: -180...180, using: &random)),
                MKCoordinateSpanMake(.random(in: 0...20, using: &random), .random(in: 0...60, using: &random)))
            let (width, height) = (
                Double.random(in: 200...1200, using: &random), Double.random(in: 200...1200, using: &random)
            )
            let fitted = region.fitting(width: width, height: height)
            #expect(fitted.north >= region.north && fitted.south <= region.south)
            #expect(fitted.span.longitudeDelta >= region.span.longitudeDelta)
            #expect(fitted.center.longitude == region.center.longitude && fitted.isValid)
            let isWhole = fitted.span.longitudeDelta >= 359.999 || fitted.north >= 85 || fitted.south <= -85
            if !isWhole {
                #expect(abs(fitted.projectedRatio / (width / height) - 1) < 1e-6, "\(region) in \(width) \(height)")
            }
        }
        let square = MKCoordinateRegion(
            center: CLLocationCoordinate2D(), latitudinalMeters: 2000, longitudinalMeters: 2000)
        #expect(square.fitting(width: 0, height: 5) == square)
        #expect(square.fitting(width: .nan, height: 5) == square)
    }

    @Test(
        "MAP-02: places around the date line are visible or not as they are, at Fiji",
        arguments: [
            (-17.0, 178.0, true), (-17, 179.999, true), (-17, 180, true), (-17, -180, true), (-17, -179, true),
            (-17, -178, true), (-17, -177.9, false), (-17, 177.9, false), (-17, 0, false), (-20, 180, false),
            (.nan, 180, false), (-17, 181, false),
        ])
    func visibility(latitude: Double, longitude: Double, isVisible: Bool) {
        let fiji = MKCoordinateRegionMake(CLLocationCoordinate2DMake(-17, 180), MKCoordinateSpanMake(4, 4))
        #expect(fiji.contains(CLLocationCoordinate2DMake(latitude, longitude)) == isVisible)
        let other = MKCoordinateRegionMake(CLLocationCoordinate2DMake(-17, -180), MKCoordinateSpanMake(4, 4))
        #expect(other.contains(CLLocationCoordinate2DMake(latitude, longitude)) == isVisible)
        // What a store is asked in parts is the same.
        let isInParts = fiji.parts.contains { $0.latitudes.contains(latitude) && $0.longitudes.contains(longitude) }
        #expect(isInParts == isVisible && fiji.parts.count == 2)
    }

    @Test("the smallest region of places crosses the date line where that is narrower")
    func regionsOfPlaces() throws {
        let fiji = [(-16.8, 179.9), (-18.1, 178.4), (-17.2, -178.9)].map { CLLocationCoordinate2DMake($0.0, $0.1) }
        let region = try #require(MKCoordinateRegion(containing: fiji))
        #expect(region.isAcrossDateLine && abs(region.span.longitudeDelta - 2.7) < 1e-9)
        #expect(fiji.allSatisfy(region.contains))
        let one = try #require(MKCoordinateRegion(containing: [fiji[0], kCLLocationCoordinate2DInvalid, fiji[0]]))
        #expect(one.span == MKCoordinateSpan() && one.center == fiji[0])
        #expect(MKCoordinateRegion(containing: [kCLLocationCoordinate2DInvalid]) == nil)
        let world = MKCoordinateRegionMake(CLLocationCoordinate2D(), MKCoordinateSpanMake(180, 360))
        #expect(world.parts.count == 1 && world.west == -180 && world.east == 180)
    }
}
