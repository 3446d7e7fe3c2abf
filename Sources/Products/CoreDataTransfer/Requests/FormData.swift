import Foundation
import FoundationNetworking

extension URLRequest {
    /// A request with the parameters of a form: for `GET`, `HEAD` and `DELETE` they are appended to the URL's query, for other
    /// methods they are the body, whose type is `application/x-www-form-urlencoded`.
    ///
    /// Names and values are UTF-8, all of whose bytes but letters, digits and `-._~` are percent-encoded.
    public init(url: URL, method: String, form: KeyValuePairs<String, String>) {
        self.init(url: url)
        httpMethod = method
        let pairs = form.map { "\(Self.encoded($0.key))=\(Self.encoded($0.value))" }.joined(separator: "&")
        if ["GET", "HEAD", "DELETE"].contains(method.uppercased()) {
            guard !pairs.isEmpty, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return }
            let query = parts.percentEncodedQuery ?? ""
            parts.percentEncodedQuery = query.isEmpty ? pairs : "\(query)&\(pairs)"
            self.url = parts.url ?? url
        } else {
            httpBody = Data(pairs.utf8)
            setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        }
    }

    /// RFC 3986, 2.3: all but the unreserved characters.
    private static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }

    /// Makes parts, files among them, the body, of type `multipart/form-data` (RFC 7578).
    ///
    /// The boundary is one that no part contains.
    public mutating func setMultipartBody(_ parts: [FormPart]) {
        var boundary: String
        repeat {
            boundary = "part-\(UUID().uuidString)"
        } while parts.contains { $0.data.range(of: Data(boundary.utf8)) != nil }
        var body = Data()
        for part in parts {
            body.append(
                contentsOf: "--\(boundary)\r\nContent-Disposition: form-data; name=\(FormPart.quoted(part.name))".utf8)
            if let name = part.fileName { body.append(contentsOf: "; filename=\(FormPart.quoted(name))".utf8) }
            if let type = part.contentType {
                body.append(contentsOf: "\r\nContent-Type: \(type.filter { !$0.isNewline })".utf8)
            }
            body.append(contentsOf: "\r\n\r\n".utf8)
            body.append(part.data)
            body.append(contentsOf: "\r\n".utf8)
        }
        body.append(contentsOf: "--\(boundary)--\r\n".utf8)
        httpBody = body
        setValue("multipart/form-data; boundary=\(boundary)", forHTTPHeaderField: "Content-Type")
    }
}

/// A part of a body of type `multipart/form-data`.
public struct FormPart: Sendable {
    /// The name of the form's field.
    public var name: String
    /// The value: text in UTF-8, or the bytes of a file.
    public var data: Data
    /// The name of the file, where the part is one.
    public var fileName: String?
    /// The type of the value, such as `image/png`; without it a server takes the part for text.
    public var contentType: String?

    /// Makes a part.
    public init(name: String, data: Data, fileName: String? = nil, contentType: String? = nil) {
        (self.name, self.data, self.fileName, self.contentType) = (name, data, fileName, contentType)
    }

    /// As the HTML standard encodes names: quotes and ends of lines by percent signs.
    static func quoted(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\r": escaped.append(contentsOf: "%0D".unicodeScalars)
            case "\n": escaped.append(contentsOf: "%0A".unicodeScalars)
            case "\"": escaped.append(contentsOf: "%22".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return "\"\(String(escaped))\""
    }
}
