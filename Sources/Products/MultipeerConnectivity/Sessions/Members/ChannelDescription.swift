import Foundation

/// What a channel is for, as JSON.
struct ChannelDescription: Codable, Sendable {
    /// `stream` or `resource`.
    var kind: String
    var name: String
    /// Bytes of a resource.
    var size: Int64?

    /// The name as it is shown: at most 255 bytes, without control characters.
    var plainName: String {
        var text = ""
        for character in name where text.utf8.count + character.utf8.count <= 255 {
            text.append(
                character.unicodeScalars.contains { $0.properties.generalCategory == .control } ? "\u{FFFD}" : character
            )
        }
        return text
    }
}

/// What sends bytes on a channel.
protocol ChannelSender: AnyObject, Sendable {
    /// There is room for more bytes.
    func drained()
    /// The channel has failed.
    func ended(_ error: MCError)
}
