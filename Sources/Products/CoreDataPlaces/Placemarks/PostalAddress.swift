import Foundation

/// The parts of an address that make up one line of text.
public struct PostalAddress: Sendable, Hashable, Codable {
    /// Street and number.
    public var street: String?
    /// The town.
    public var city: String?
    /// The state, province or county.
    public var state: String?
    /// The postal code.
    public var zip: String?

    /// Makes an address of the parts that are known.
    public init(street: String? = nil, city: String? = nil, state: String? = nil, zip: String? = nil) {
        (self.street, self.city, self.state, self.zip) = (street, city, state, zip)
    }

    /// "street, city, state  zip", of the parts that are there and not blank: commas between the first three, two blanks
    /// before the postal code. Empty without any part.
    public var line: String {
        let front = [street, city, state].compactMap(Self.present).joined(separator: ", ")
        return [front, Self.present(zip)].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private static func present(_ part: String?) -> String? {
        let text = part?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        return text.isEmpty ? nil : text
    }
}
