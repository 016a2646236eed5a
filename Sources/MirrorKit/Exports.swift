// What a user of the library sees of the rooms below.

@_exported import MirrorCore
@_exported import struct MirrorTransport.TransportOptions
@_exported import enum MirrorSources.OnlyFilter
@_exported import enum MirrorSources.SourceForm
