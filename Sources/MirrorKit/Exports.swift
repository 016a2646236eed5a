// What a user of the library sees of the rooms below.

@_exported import MirrorCore

@_exported import enum MirrorSources.OnlyFilter
@_exported import enum MirrorSources.SourceForm
@_exported import struct MirrorTransport.TransportOptions
