import CoreDataPictures
import CoreDataPlaces
import Foundation
import TestBasics
import Testing

@Suite("Date, place and camera of pictures", .enabled(if: TestPictures.isPossible, TestPictures.missing))
struct PictureDetailsTests {
    private let folder: TemporaryFolder
    private let reader = PictureDetailsReader()

    init() throws { folder = try TemporaryFolder() }

    @Test("MEDIA-14: date, zone, place and camera are read of JPEG, HEIC, PNG and TIFF")
    func detailsAreRead() async throws {
        let files = try ["a.jpg", "a.heic", "a.png", "a.tif"].map { try TestPictures.make($0, in: folder.url) }
        for file in files {
            try TestPictures.tag(
                file,
                [
                    "DateTimeOriginal=2019:05:04 10:11:12", "OffsetTimeOriginal=+02:00", "Make=Canon",
                    "Model=Canon EOS 80D", "LensModel=EF 50", "GPSLatitude=33.85", "GPSLatitudeRef=S",
                    "GPSLongitude=151.2", "GPSLongitudeRef=W", "GPSAltitude=12", "GPSAltitudeRef#=0",
                ])
        }
        let found = try await reader.details(of: files)
        #expect(found.count == 4)
        for (file, details) in found {
            #expect(details.taken == Date(timeIntervalSince1970: 1_556_957_472), "\(file.lastPathComponent)")
            #expect(details.hasTimeZone)
            let place = try #require(details.coordinate)
            #expect(abs(place.latitude + 33.85) < 1e-6 && abs(place.longitude + 151.2) < 1e-6, "\(place)")
            #expect(details.altitude == 12)
            #expect(details.camera == "Canon EOS 80D" && details.lens == "EF 50")
        }
    }

    @Test("MEDIA-14: what is missing, zero or nonsense is nil")
    func nonsenseIsNil() async throws {
        let plain = try TestPictures.make("plain.jpg", in: folder.url)
        let zero = try TestPictures.make("zero.jpg", in: folder.url)
        try TestPictures.tag(
            zero,
            [
                "DateTimeOriginal=0000:00:00 00:00:00", "Make=True", "Model=1.10", "GPSLatitude=0", "GPSLongitude=0",
                "GPSLatitudeRef=N", "GPSLongitudeRef=E",
            ])
        let text = folder.url.appendingPathComponent("text.jpg")
        try Data("no picture".utf8).write(to: text)
        let found = try await reader.details(of: [plain, zero, text, folder.url.appendingPathComponent("gone.jpg")])
        #expect(found[plain]?.isEmpty == true)
        #expect(found[zero]?.taken == nil && found[zero]?.coordinate == nil)
        #expect(found[zero]?.camera == "True 1.10", "texts that look like other values stay texts")
        #expect(found[text]?.isEmpty ?? true)
    }

    @Test("MEDIA-14: a film's time is that of the world, and data in memory is read too")
    func filmsHaveWorldTime() async throws {
        let film = folder.url.appendingPathComponent("film.mp4")
        try TestPictures.run(
            TestPictures.ffmpeg,
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:duration=1", "-metadata",
                "creation_time=2020-01-02T03:04:05Z", film.path,
            ], in: folder.url)
        let details = try await reader.details(of: .file(film))
        #expect(details.taken == Date(timeIntervalSince1970: 1_577_934_245) && details.hasTimeZone)
        let picture = try TestPictures.make("a.jpg", in: folder.url)
        try TestPictures.tag(picture, ["Model=X\tY"])
        #expect(try await reader.details(of: .data(Data(contentsOf: picture))).model?.hasPrefix("X") == true)
    }

    @Test("MEDIA-14: many files are read by few processes")
    func manyFilesAreRead() async throws {
        let data = try Data(contentsOf: TestPictures.make("a.jpg", width: 16, height: 16, in: folder.url))
        let files = try (0..<600).map { number in
            let file = folder.url.appendingPathComponent("\(number).jpg")
            try data.write(to: file)
            return file
        }
        #expect(try await reader.details(of: files).count == 600)
    }
}
