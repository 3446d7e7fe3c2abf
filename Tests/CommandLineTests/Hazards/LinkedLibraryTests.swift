import Foundation
import TestBasics
import Testing

/// What decodes files from outside is in programs of their own, never in the tool.
@Suite struct LinkedLibraryTests {
    @Test("MEDIA-13: the tool is linked with nothing that decodes pictures, sound, film or codes, or that speaks")
    func toolLinksNoDecoders() throws {
        let listing = try Child(["-c", "ldd \"$0\"", Tool.url.path], of: URL(fileURLWithPath: "/bin/sh")).lines()
        // The list is one of libraries: SQLite's is in it.
        #expect(listing.contains { $0.contains("libsqlite3") })
        let decoders = [
            "libvips", "libavcodec", "libavformat", "libswscale", "libZXing", "libespeak", "libheif", "libjpeg",
            "libpng", "libtiff", "libgmime",
        ]
        for name in decoders { #expect(!listing.contains { $0.contains(name) }, "\(name)") }
    }
}
