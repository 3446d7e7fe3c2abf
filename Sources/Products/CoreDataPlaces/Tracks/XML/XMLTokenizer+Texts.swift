import Foundation

extension XMLTokenizer {
    func quoted(_ key: String) throws(TrackError) -> String {
        guard let quote = try bytes.next(), quote == 34 || quote == 39 else {
            throw error(.malformed, "the value of \(key) is not in quotation marks")
        }
        var found: [UInt8] = []
        while let byte = try bytes.peek(), byte != quote {
            guard byte != UInt8(ascii: "<") else { throw error(.malformed, "the value of \(key) has the character <") }
            try append(&found)
        }
        guard try bytes.next() != nil else { throw error(.malformed, "the value of \(key) does not end") }
        return try string(found)
    }

    func text() throws(TrackError) -> String {
        var found: [UInt8] = []
        while let byte = try bytes.peek(), byte != UInt8(ascii: "<") { try append(&found) }
        return try string(found)
    }

    /// Takes a byte or a reference.
    func append(_ found: inout [UInt8]) throws(TrackError) {
        guard let byte = try bytes.next() else { return }
        guard byte >= 32 || byte == 9 || byte == 10 || byte == 13 else {
            throw error(.malformed, "the text has the control character \(byte)")
        }
        if byte == UInt8(ascii: "&") {
            let scalar = try reference()
            // References name characters of Unicode, in a text of Latin-1 too.
            if isLatin, scalar.value < 256 {
                found.append(UInt8(scalar.value))
            } else {
                found += Array(String(scalar).utf8)
            }
        } else {
            found.append(byte)
        }
        guard found.count <= limits.text else { throw error(.tooLarge, "a text is longer than \(limits.text) bytes") }
    }

    func reference() throws(TrackError) -> Unicode.Scalar {
        let place = bytes.position
        var found: [UInt8] = []
        while let byte = try bytes.next(), byte != UInt8(ascii: ";") {
            found.append(byte)
            guard found.count <= 32 else { throw error(.malformed, "a reference does not end", at: place) }
        }
        let name = String(decoding: found, as: UTF8.self)
        if let known = Self.entities[name] { return known }
        guard name.hasPrefix("#") else {
            throw error(
                .entities, "the entity \(name) is not known",
                hint: "only those of XML itself are read: amp, lt, gt, quot, apos",
                at: place)
        }
        let digits = name.dropFirst()
        let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let number, let scalar = Unicode.Scalar(number), number >= 32 || [9, 10, 13].contains(number) else {
            throw error(.malformed, "the reference \(name) names no character", at: place)
        }
        return scalar
    }

    static let entities: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]

    func string(_ found: [UInt8]) throws(TrackError) -> String {
        if isLatin { return String(String.UnicodeScalarView(found.map { Unicode.Scalar($0) })) }
        guard let text = String(validating: found, as: UTF8.self) else {
            throw error(.malformed, "the text is not in UTF-8", hint: "save it in UTF-8")
        }
        return text
    }
}
