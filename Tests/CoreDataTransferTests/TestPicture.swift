import Foundation
import FoundationNetworking
import TestServers

@testable import CoreDataTransfer

/// Small pictures as their formats begin them, of which no more than the header is right.
enum TestPicture {
    static func big4(_ number: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    static func little(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    static func big2(_ number: Int) -> [UInt8] { Array(big4(number).suffix(2)) }

    static func png(_ width: Int, _ height: Int, padding: Int = 0) -> Data {
        Data(
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + big4(width)
                + big4(height)
                + [8, 6, 0, 0, 0] + [UInt8](repeating: 0, count: padding))
    }

    static func gif(_ width: Int, _ height: Int) -> Data {
        Data(Array("GIF89a".utf8) + little(width, 2) + little(height, 2))
    }

    /// With a segment of an application, fill bytes and tables before the frame.
    static func jpeg(_ width: Int, _ height: Int, frame: UInt8 = 0xC2) -> Data {
        Data(
            [0xFF, 0xD8, 0xFF, 0xE0, 0, 6, 0xFF, 0xC0, 1, 1] + [0xFF, 0xFF, 0xC4, 0, 3, 9] + [0xFF, frame, 0, 11, 8]
                + big2(height) + big2(width) + [1, 1, 17, 0])
    }

    private static func riff(_ kind: String, _ content: [UInt8]) -> Data {
        Data(
            Array("RIFF".utf8) + little(content.count + 12, 4) + Array("WEBP".utf8) + Array(kind.utf8)
                + little(content.count, 4) + content)
    }
    static func webp(_ width: Int, _ height: Int) -> Data {
        riff("VP8 ", [0x30, 1, 0, 0x9D, 1, 0x2A] + little(width | 0x4000, 2) + little(height, 2))
    }
    static func losslessWebP(_ width: Int, _ height: Int) -> Data {
        riff("VP8L", [0x2F] + little((width - 1) | (height - 1) << 14, 4))
    }
    static func extendedWebP(_ width: Int, _ height: Int) -> Data {
        riff("VP8X", [0x10, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
    }

    static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        big4(content.count + 8) + Array(kind.utf8) + content
    }
    static func avif(_ sizes: [(Int, Int)], brand: String = "avif", length: ((Int) -> [UInt8])? = nil) -> Data {
        let properties = sizes.flatMap { box("ispe", [0, 0, 0, 0] + big4($0.0) + big4($0.1)) }
        let container = box("iprp", box("ipco", box("pixi", [0, 0, 0, 0, 3, 8, 8, 8]) + properties))
        let content = [0, 0, 0, 0] + box("hdlr", [UInt8](repeating: 0, count: 20)) + container
        let meta = length.map { $0(content.count) + content } ?? box("meta", content)
        return Data(box("ftyp", Array("mif1".utf8) + [0, 0, 0, 0] + Array("miaf\(brand)".utf8)) + meta)
    }
}

extension ScriptedServer.Reply {
    func picture(_ data: Data, _ fields: [String] = [], type: String = "image/png") throws {
        try respond(200, ["Content-Type: \(type)"] + fields, body: data)
    }
}
