import CoreDataMedia
import Foundation
import TestBasics
import Testing

@Suite("Tags of sound and film", .enabled(if: MediaTools.areThere, MediaTools.comment))
struct TagTests {
    static let tags = [
        "title": "True", "artist": "1.10", "album": "Al, bum <&>", "track": "3/9", "genre": "Rock",
        "date": "2001-02-03",
        "disc": "1/2", "composer": "Bach", "album_artist": "Äther", "comment": "first\nsecond",
    ]

    @Test(
        "MEDIA-02: tags are read as the texts that they are, in each format",
        arguments: ["mp3", "m4a", "flac", "ogg", "opus", "webm", "mka"])
    func tagsAreReadAsTexts(_ form: String) throws {
        let bench = try LibraryBench()
        try MediaTools.sound(bench.url("a.\(form)"), tags: Self.tags)
        let report = try bench.scan()
        #expect(report.added == 1 && report.problems.isEmpty)
        let row = try #require(try bench.rows()["a.\(form)"])
        #expect(row["title"] as? String == "True")
        #expect(row["artist"] as? String == "1.10")
        #expect(row["albumTitle"] as? String == "Al, bum <&>")
        #expect(row["albumTrackNumber"] as? Int == 3)
        #expect(row["albumTrackCount"] as? Int == 9)
        #expect(row["discNumber"] as? Int == 1)
        #expect(row["discCount"] as? Int == 2)
        #expect(row["genre"] as? String == "Rock")
        #expect(row["composer"] as? String == "Bach")
        #expect(row["albumArtist"] as? String == "Äther")
        #expect(row["comments"] as? String == "first\nsecond")
        #expect(row["releaseDate"] as? Date == Date(timeIntervalSince1970: 981_158_400))
        #expect(row["mediaType"] as? Int == 1)
    }

    @Test("MEDIA-02: of ID3v2.3 day and month are not exchanged")
    func datesOfID3Version3AreRead() throws {
        let bench = try LibraryBench()
        try MediaTools.sound(bench.url("a.mp3"), tags: ["date": "2001-02-03"], options: ["-id3v2_version", "3"])
        try bench.scan()
        #expect(try bench.rows()["a.mp3"]?["releaseDate"] as? Date == Date(timeIntervalSince1970: 981_158_400))
    }

    @Test("MEDIA-02: several artists and genres stay lists")
    func listsStayLists() throws {
        let bench = try LibraryBench()
        let tags = ["artist": "One", "xrtist": "Two", "genre": "Rock", "xenre": "Jazz"]
        try MediaTools.sound(bench.url("a.flac"), tags: tags)
        for (old, new) in [("xrtist=", "artist="), ("xenre=", "genre=")] {
            try MediaTools.patch(bench.url("a.flac"), old, new)
        }
        try bench.scan()
        let row = try #require(try bench.rows()["a.flac"])
        #expect(row["artist"] as? String == "One; Two")
        #expect(row["#lists"] as? [String] == ["artist0=One", "artist1=Two", "genre0=Rock", "genre1=Jazz"])
    }

    @Test("MEDIA-02: streams decide what is a film, not covers")
    func streamsDecideTheType() throws {
        let bench = try LibraryBench()
        let cover = bench.temporary.url.appendingPathComponent("cover.png")
        try MediaTools.ffmpeg(["-f", "lavfi", "-i", "testsrc=size=40x30:duration=0.1", "-frames:v", "1", cover.path])
        for form in ["mp3", "m4a", "flac"] {
            let plain = bench.temporary.url.appendingPathComponent("plain.\(form)")
            try MediaTools.sound(plain)
            try MediaTools.ffmpeg([
                "-i", plain.path, "-i", cover.path, "-map", "0", "-map", "1", "-c", "copy", "-disposition:v",
                "attached_pic",
                bench.url("cover.\(form)").path,
            ])
        }
        try MediaTools.sound(bench.url("sound.mp4"))
        try MediaTools.sound(bench.url("sound.webm"))
        try MediaTools.sound(bench.url("sound.caf"))
        try MediaTools.film(bench.url("film.mp4"))
        try MediaTools.film(bench.url("film.webm"), options: ["-c:v", "libvpx"])
        try MediaTools.sound(bench.url("book.m4b"))
        try MediaTools.sound(bench.url("podcast.mp3"), tags: ["genre": "Podcast", "album": "Show"])
        let report = try bench.scan()
        #expect(report.problems.isEmpty)
        let rows = try bench.rows()
        for (name, type) in [
            ("cover.mp3", MPMediaType.music), ("cover.m4a", .music), ("cover.flac", .music), ("sound.mp4", .music),
            ("sound.webm", .music), ("sound.caf", .music), ("film.mp4", .movie), ("film.webm", .movie),
            ("book.m4b", .audioBook), ("podcast.mp3", .podcast),
        ] {
            #expect(rows[name]?["mediaType"] as? Int == Int(type.rawValue), "\(name)")
        }
        let picture = try Data(contentsOf: cover)
        for form in ["mp3", "m4a", "flac"] { #expect(rows["cover.\(form)"]?["#artwork"] as? Data == picture) }
        #expect(rows["film.mp4"]?["width"] as? Int == 64)
        #expect(rows["podcast.mp3"]?["podcastTitle"] as? String == "Show")
    }

    @Test("MEDIA-02: a turned film has the size that is shown")
    func turnedFilmsHaveTheirShownSize() throws {
        let bench = try LibraryBench()
        let plain = bench.temporary.url.appendingPathComponent("plain.mp4")
        try MediaTools.film(plain)
        try MediaTools.ffmpeg([
            "-i", plain.path, "-c", "copy", "-metadata:s:v", "rotate=90", bench.url("turned.mp4").path,
        ])
        try bench.scan()
        let row = try #require(try bench.rows()["turned.mp4"])
        #expect(row["width"] as? Int == 48 && row["height"] as? Int == 64)
    }
}
