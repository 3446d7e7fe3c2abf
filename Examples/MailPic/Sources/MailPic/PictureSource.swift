import Foundation

/// Where pictures come from: the camera, or a library of pictures.
struct PictureSource: Sendable {
    /// Takes a picture; nil for a device without a camera. The answer is nil if the person cancels.
    var camera: (@Sendable () async -> Data?)?
    /// Chooses a picture. The answer is nil if the person cancels.
    var library: @Sendable () async -> Data?
    /// Cuts a picture to the part that the person wants.
    var crop: @Sendable (Data) async -> Data = { $0 }

    /// A picture of the camera if there is one, else of the library, cut; nil if the person cancels.
    func picture() async -> Data? {
        guard let picture = await (camera ?? library)() else { return nil }
        return await crop(picture)
    }
}
